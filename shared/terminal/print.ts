import { printableOutput } from '../text/printable.ts'

// The only way from a command to a terminal (test/terminal/outputs.test.ts). Each format escapes its fields with
// `printable`, because only there is a line break of a field different from one of the format.

/** Writes a text to standard output, without characters that a terminal could act on. Bytes are unchanged. */
export const print = (content: string | Uint8Array): void =>
  void process.stdout.write(typeof content === 'string' ? printableOutput(content) : content)

/** Writes a text to standard error in the same way. */
export const printError = (text: string): void => void process.stderr.write(printableOutput(text))

/** Writes `name: problem` to standard error. Its further lines are indented, so they cannot pass for other messages. */
export const printProblem = (name: string, problem: string): void =>
  printError(`${name}: ${problem.replaceAll('\n', '\n  ')}\n`)
