import { createInterface } from 'node:readline/promises'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { messageOf } from '../../shared/text/message-of.ts'

/** Asks the user at a terminal. */
export interface Questions {
  /**
   * Returns the answer, parsed by `parse`; repeats the question if `parse` throws a `UsageError`. An empty answer
   * selects `usual`. Throws a `UsageError` if the terminal is closed.
   */
  ask<T>(question: string, parse: (answer: string) => T, usual?: string): Promise<T>
  close(): void
}

export const createQuestions = (input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Questions => {
  const terminal = createInterface({ input, output })
  const ended = new AbortController()
  terminal.on('close', () => ended.abort())
  return {
    ask: async (question, parse, usual) => {
      for (;;) {
        const text = `${question}${usual === undefined ? '' : ` [${usual}]`}: `
        const answer = await terminal.question(text, { signal: ended.signal }).catch((error: unknown) => {
          if (ended.signal.aborted) throw new UsageError('input ended without an answer; nothing was written')
          throw error
        })
        try {
          return parse(answer.trim() === '' ? (usual ?? '') : answer.trim())
        } catch (error) {
          if (!(error instanceof UsageError)) throw error
          output.write(`${messageOf(error)}\n`)
        }
      }
    },
    close: () => terminal.close(),
  }
}
