(write "bad ÿ byte")
