(write 'a)
'
