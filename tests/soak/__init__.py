"""The bureau under use for a while: `script/soak`, and a short form in the suite."""
