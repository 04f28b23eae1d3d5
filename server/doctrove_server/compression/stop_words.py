"""English words that say nothing about what a text is about."""

_WORDS = """
a about above after again all also am an and any are as at be because been before being below
between both but by can could did do does doing down during each else etc few for from further
had has have having he her here hers him his how however i if in into is it its itself just let
like may me might more most much must my no nor not now of off on once one only or other our out
over own same see she should so some such than that the their them then there these they this
those through to too two under until up us use used uses using very want was we were what when
where which while who will with within without would you your yours
"""
STOP_WORDS = frozenset(_WORDS.split())
