(write `,@x)
(write (unquote-splicing x))
(write ,y)
