import fc from 'fast-check'

/** Text with a special meaning for a shell, a command or the surrounding code. */
const pieces = [
  '$(touch pwned)',
  '`touch pwned`',
  '$HOME',
  "'",
  '"',
  '\\',
  '\\n',
  '\n',
  'EOF',
  '\nEOF\ntouch pwned\n',
  "\n'EOF'\n",
  'EOF_',
  "'; touch pwned; '",
  '"; touch pwned; "',
  ' ',
  '-',
  '--help',
  '*',
  '~',
  ';touch pwned;',
  '&& touch pwned',
  '|',
  '>pwned',
  '#',
  '!!',
  '\t',
  '\r',
  '\r\n',
  '\u0001',
  '\u007f',
  '\u0085',
  '\u2028',
  '\ufeff',
  'é',
  '💥',
  '%s',
  '==BOUNDARY==',
  '--==BOUNDARY==--',
  '<<BOOTSTRAP_TOKEN>>',
  'a',
] as const

/** Texts that would run commands or change if they were not quoted. */
export const hostileText = fc
  .array(fc.constantFrom(...pieces), { maxLength: 12 })
  .map(parts => parts.join(''))

/** Such texts as file names, up to the maximum length of a file system. */
export const hostileName = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 })
  .map(parts => parts.join(''))
  .filter(name => Buffer.byteLength(name) <= 200 && !/[/\0]/.test(name) && !/^\.{0,2}$/.test(name))
