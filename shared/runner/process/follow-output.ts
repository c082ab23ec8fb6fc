import type { ChildProcess } from 'node:child_process'
import { StringDecoder } from 'node:string_decoder'
import { cutText } from '../../text/cut-text.ts'

/** A longer line is cut, so that a process cannot fill the memory of this one. */
const longestLine = 16_384
/** Other output than a log line may be a line of a minified bundle. */
const longestText = 1_000
/** Enough for the text of an error. */
const mostLines = 5
/** Lines that explain no end: log lines without a problem, the traces of V8 and Node. */
const saysNothing =
  /^\{"level":"(?:info|debug)"|^\s*\d+: 0x|^\[\d+:0x|^-----|^<---|^\s+at |^\s*\^*$|^Node\.js v|^\S+\.cjs:\d+$/
/** A line that is retained although others follow. */
const saysWhy = /FATAL ERROR|snapshot|^(?:Uncaught )?\w*Error\b/

/**
 * Passes the output of a process on, line by line. The returned function returns its last lines, as far as they may
 * explain its end.
 */
export const followOutput = (
  child: Pick<ChildProcess, 'stdout' | 'stderr'>,
  output: (line: string, stream: 'stdout' | 'stderr') => void,
): (() => readonly string[]) => {
  const last: string[] = []
  for (const stream of ['stdout', 'stderr'] as const) {
    const decoder = new StringDecoder('utf8')
    let rest = ''
    const write = (line: string) => {
      if (line === '') return
      output(line, stream)
      if (saysNothing.test(line)) return
      last.push(cutText(line, 300))
      if (last.length > mostLines) last.splice(saysWhy.test(last[0] ?? '') ? 1 : 0, 1)
    }
    const readable = child[stream]
    readable?.on('data', (chunk: Buffer) => {
      const [first = '', ...others] = decoder.write(chunk).split('\n')
      const lines = [rest + first, ...others]
      rest = lines.pop() ?? ''
      for (const line of lines) write(cutText(line, line.startsWith('{') ? longestLine : longestText))
      // The rest of an endless line starts a new one.
      if (rest.length > longestLine) {
        write(cutText(rest, longestLine))
        rest = ''
      }
    })
    readable?.once('end', () => write(rest))
    // The process has ended, which is reported by its exit.
    readable?.on('error', () => {})
  }
  return () => [...last]
}
