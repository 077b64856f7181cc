 	
; comment
