"""Programs, such as language models, that answer assignments through the API: questions, endpoints, runs, answers.

`rules`, `endpoints`, `platform` and `running` know neither Django nor the database, so a program can run anywhere.
"""
