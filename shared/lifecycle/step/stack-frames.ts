/** Enough frames from the place of an error to the function's code, with libraries in between. */
const longest = 8

/**
 * Returns the place where an error was thrown, the innermost frame first: only names and places in files. Omits the
 * message, which may quote anything and is redacted elsewhere.
 */
export const stackFrames = ({ stack }: Error): readonly string[] =>
  String(stack)
    .split('\n')
    .flatMap(line => /^ {4}at (.*)$/.exec(line)?.[1] ?? [])
    .slice(0, longest)
