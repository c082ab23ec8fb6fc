import { type FieldType, type MessageField, type MessageType, scalarTypes } from './decode-message.ts'
import { messageFields } from './message-fields.ts'

/** Returns the message of a kind, or of the type of a field; undefined if it is unknown. */
export type FindMessage = (name: string) => MessageType | undefined

/** Parses each message of the table when it is first needed. */
export const createMessages = (table: string = messageFields): FindMessage => {
  const lines = new Map(
    table
      .replaceAll('\n  ', ' ')
      .split('\n')
      .flatMap(line => {
        const [name, fields] = line.split(': ')
        return name === undefined || fields === undefined ? [] : [[name, fields] as const]
      }),
  )
  const known = new Map<string, MessageType>()

  const typeOf = (text: string): FieldType => {
    if (text.startsWith('{')) return { map: typeOf(text.slice(1, -1)) }
    const scalar = scalarTypes.find(name => name === text)
    if (scalar !== undefined) return scalar
    if (!lines.has(text)) throw new TypeError(`the table of messages does not contain ${text}`)
    // Parsed on first use, because a client sends only a few of the messages.
    return { message: () => find(text) ?? {} }
  }
  const fieldOf = (text: string): readonly [number, MessageField] => {
    const [number = '', name = '', type = ''] = text.split(' ')
    return [
      Number(number),
      {
        name: name.replace('?', ''),
        type: typeOf(type.replace('[]', '')),
        repeated: type.endsWith('[]'),
        inline: name === '...',
        omitsEmpty: name.endsWith('?'),
      },
    ]
  }
  const find: FindMessage = name => {
    const fields = lines.get(name)
    if (fields === undefined) return undefined
    const message = known.get(name) ?? Object.fromEntries(fields.split(', ').map(fieldOf))
    known.set(name, message)
    return message
  }
  return find
}
