/**
 * What a request breaks:
 * - `body`: the bytes are no XML, JSON or form
 * - `value`: a member is not what its schema says (a text where a number belongs)
 * - `operation`: no operation has this name, or this method and path; the subject is '' where none is named
 * - `method`: the path is one of the service's, for other methods
 * - `version`: the service's API has another version
 */
export type Malformation = 'body' | 'value' | 'operation' | 'method' | 'version'

/** A request that the codec cannot turn into an operation's input. The service chooses the error that AWS gives. */
export class MalformedRequest extends Error {
  readonly kind: Malformation
  /** The member (`value`), the operation's name (`operation`), the method or the version, where known. */
  readonly subject: string

  constructor(kind: Malformation, subject: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'MalformedRequest'
    this.kind = kind
    this.subject = subject
  }
}
