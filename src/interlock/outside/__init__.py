"""What lies outside and is not believed: addresses, endpoints of models, schemas, their answers.

Nothing here knows what is done for whom; whoever needs one of these is on a floor above.
"""
