import { ConnectionError, type KubernetesObject, type WatchEvent } from '../port.ts'
import { errorOfStatus } from './status-error.ts'

interface WatchLine {
  readonly type: string
  readonly object: KubernetesObject
}

/** Annotation of the bookmark after the initial objects of a `sendInitialEvents` watch (KEP-3157). */
const initialEventsEnd = 'k8s.io/initial-events-end'

const brokenLine = (cause: unknown) =>
  new ConnectionError('the watch ended within a line', { cause, sent: true })

const parseLine = (line: string): WatchLine => {
  try {
    return JSON.parse(line) as WatchLine
  } catch (error) {
    throw brokenLine(error)
  }
}

const eventOfLine = (line: string): WatchEvent => {
  const { type, object } = parseLine(line)
  switch (type) {
    case 'ADDED':
      return { type: 'added', object }
    case 'MODIFIED':
      return { type: 'modified', object }
    case 'DELETED':
      return { type: 'deleted', object }
    case 'BOOKMARK':
      return {
        type: 'bookmark',
        resourceVersion: object.metadata.resourceVersion ?? '',
        initialEventsEnd: object.metadata.annotations?.[initialEventsEnd] === 'true',
      }
    case 'ERROR':
      throw errorOfStatus(object, 500)
    default:
      throw brokenLine(new TypeError(`unknown event type ${type}`))
  }
}

/**
 * The longest line of a watch, in characters. etcd stores objects of 1.5 MB, and a line contains one. Without a limit,
 * a line without an end would fill the memory.
 */
export const mostOfWatchLine = 16 * 1024 * 1024

/** Splits the data of a watch into lines. */
const createLines = () => {
  const decoder = new TextDecoder()
  let rest: string[] = []
  let restLength = 0
  const ready: string[] = []
  const add = (text: string) => {
    let start = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      rest.push(text.slice(start, end))
      const line = rest.join('')
      rest = []
      restLength = 0
      start = end + 1
      if (line.trim() !== '') ready.push(line)
    }
    if (start === text.length) return
    rest.push(text.slice(start))
    restLength += text.length - start
    if (restLength <= mostOfWatchLine) return
    rest = []
    throw new ConnectionError(
      `the API server sent a line of a watch with more than ${mostOfWatchLine} characters`,
      { cause: undefined, sent: true },
    )
  }
  return {
    push: (chunk: Uint8Array) => add(decoder.decode(chunk, { stream: true })),
    end: () => add(`${decoder.decode()}\n`),
    isEmpty: () => ready.length === 0,
    nextEvent: () => eventOfLine(ready.shift() ?? ''),
  }
}

/**
 * Yields the events of a watch: one JSON document per line, in chunks cut anywhere, also within a character. Does not
 * store lines or events in variables: a waiting generator would retain them until more data arrives.
 */
export async function* watchEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<WatchEvent> {
  const lines = createLines()
  for await (const chunk of body) {
    lines.push(chunk)
    while (!lines.isEmpty()) yield lines.nextEvent()
  }
  lines.end()
  while (!lines.isEmpty()) yield lines.nextEvent()
}
