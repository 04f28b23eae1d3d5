import acme

box = acme.Box()
# four
box.open()
