"""What graders and students read about a grading: feedback pages, class reports, shown text."""
