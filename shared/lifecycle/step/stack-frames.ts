/** As many as lead from where an error was thrown to the function's own code, with what is of libraries in between. */
const longest = 8

/**
 * Where an error was thrown, the innermost frame first: names and places in files alone. Its message is left out, which may
 * quote anything and is redacted elsewhere.
 */
export const stackFrames = ({ stack }: Error): readonly string[] =>
  String(stack)
    .split('\n')
    .flatMap(line => /^ {4}at (.*)$/.exec(line)?.[1] ?? [])
    .slice(0, longest)
