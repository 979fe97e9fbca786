"""Pictures of ratings for the sites of clubs and for social networks."""
