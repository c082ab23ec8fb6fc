/** A line of a text that arrives in pieces. */
export interface ReadLine {
  /** Undefined if the line is too long. */
  readonly text: string | undefined
  /** From 1. */
  readonly number: number
  /** False for the last line if no line break ends it. */
  readonly isEnded: boolean
}

/** Splits pieces of text or UTF-8 into lines. Holds at most one line of the given length. */
export const lineReader = (most: number, onLine: (line: ReadLine) => void) => {
  const decoder = new TextDecoder()
  let begun: string[] = []
  let length = 0
  let number = 1

  const add = (piece: string): void => {
    if (piece === '') return
    length += piece.length
    if (length > most) begun = []
    else begun.push(piece)
  }
  const finish = (isEnded: boolean): void => {
    const text = length > most ? undefined : begun.join('')
    begun = []
    length = 0
    onLine({ text, number, isEnded })
    number++
  }

  return {
    push: (chunk: string | Uint8Array): void => {
      const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
      let start = 0
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
        add(text.slice(start, end))
        finish(true)
        start = end + 1
      }
      add(text.slice(start))
    },
    end: (): void => {
      add(decoder.decode())
      if (length > 0) finish(false)
    },
  }
}
