from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_mend")]

    operations = [migrations.RenameModel("ResetRequest", "MailRequest")]
