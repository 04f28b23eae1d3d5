"""What a package carries beside its code: its README, its documentation, agent skills."""
