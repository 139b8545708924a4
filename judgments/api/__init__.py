"""The API of campaigns and judgments, by subject, with the services and permissions of the pages."""
