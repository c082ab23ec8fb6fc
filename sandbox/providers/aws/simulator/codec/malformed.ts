/**
 * The invalid part of a request:
 * - `body`: the bytes are not XML, JSON or a form
 * - `value`: a member does not match its schema (a text instead of a number)
 * - `operation`: no operation has this name, or this method and path; the subject is '' if none is named
 * - `method`: the path exists only for other methods
 * - `version`: the service's API has another version
 */
export type Malformation = 'body' | 'value' | 'operation' | 'method' | 'version'

/** A request that the codec cannot parse into an operation's input. The service chooses AWS's error for it. */
export class MalformedRequest extends Error {
  readonly kind: Malformation
  /** The member (`value`), the operation's name (`operation`), the method or the version, if known. */
  readonly subject: string

  constructor(kind: Malformation, subject: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'MalformedRequest'
    this.kind = kind
    this.subject = subject
  }
}
