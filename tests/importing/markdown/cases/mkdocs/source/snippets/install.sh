# --8<-- [start:pip]
pip install acme
# --8<-- [end:pip]
rm -rf /
