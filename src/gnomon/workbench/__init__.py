"""What somebody who looks at a model and walks through it wants to see: a request in, data out.

Nothing is remembered of a walk: every request brings the states it is about, so that whoever asks can go
back, fork, lose the connection and come again. A process of its own answers, which can be ended at any time.
"""
