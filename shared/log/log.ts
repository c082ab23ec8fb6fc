import { type DestinationStream, pino, stdTimeFunctions } from 'pino'
import { messageOf } from '../text/message-of.ts'
import { printableOutput } from '../text/printable.ts'

/** Fields of a line. In JavaScript, a field with the name of a fixed one gets the prefix `field_`: `field_name`. */
export type LogFields = Readonly<Record<string, unknown>> & { readonly [own in OwnField]?: never }

/**
 * A structured log with constant messages and separate fields. The field `object` holds a Kubernetes object as
 * `<namespace>/<name>`. Each line has own fields `time`, `level`, `name` (the process) and `msg` (the message): use
 * other names.
 */
export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export interface LogOptions {
  readonly level: LogLevel
  /** The name of the process, in every line. */
  readonly name: string
  /**
   * Default: `process.stdout`, and not pino's own destination: when the reader has ended, that is silent, and repeats
   * its last write forever at the end of the process.
   */
  readonly destination?: DestinationStream
}

/** The log's own fields. Parsers disagree on a JSON object that contains a key twice. */
const ownFields = ['time', 'level', 'name', 'msg'] as const
type OwnField = (typeof ownFields)[number]

/** Renames fields that would collide with the log's own: `name` becomes `field_name`. */
const besideOwn = (fields: object): object => {
  const renamed: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(fields))
    renamed[ownFields.some(own => own === key) ? `field_${key}` : key] = value
  return renamed
}

/**
 * Returns a log that writes one JSON object per line: `time`, `level`, `name`, `msg` and the fields. Possible secrets
 * are redacted before the write (see `redact`).
 */
export const createLog = ({ level, name, destination = process.stdout }: LogOptions): Log => {
  const options = {
    level,
    base: { name },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  const logger = pino(options, { write: line => destination.write(printableOutput(line)) })
  const write =
    (method: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields?: LogFields): void => {
      if (!logger.isLevelEnabled(method)) return
      logger[method](fields === undefined ? {} : besideOwn(redact(fields) as object), message)
    }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

/** Returns a log that adds these fields to every line. The call's fields override them. */
export const withFields = (log: Log, fields: LogFields): Log => ({
  debug: (message, more) => log.debug(message, { ...fields, ...more }),
  info: (message, more) => log.info(message, { ...fields, ...more }),
  warn: (message, more) => log.warn(message, { ...fields, ...more }),
  error: (message, more) => log.error(message, { ...fields, ...more }),
})

const redacted = '[redacted]'

/**
 * Names of fields with values that are never written: data of Secrets and events, credentials, and the whole
 * `providerConfig`, which only the provider understands. `status.state` is also hidden, but the `state` of an operation
 * is a word and remains.
 */
const withoutSecrets =
  /^(?:data|stringdata|data_base64|providerconfig|authorization|cookie|secret)s?$|password|passphrase|token|credential|privatekey|kubeconfig|accesskey|secretkey/i

/** Deep enough for any readable field. Deeper values are cut. */
const depthLimit = 6

/**
 * Returns a copy for logs: values of secret fields are replaced, errors reduced to name, message, codes, stack and
 * cause (SDK errors contain whole requests with headers), bytes to their length, cycles and deep values cut.
 */
const redact = (value: unknown, depth = 0): unknown => {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value
  if (depth >= depthLimit) return '[deep]'
  if (value instanceof Error) return errorFields(value, depth)
  if (value instanceof Date) return value
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (Array.isArray(value)) return value.map(entry => redact(entry, depth + 1))
  if (value instanceof Map || value instanceof Set) return `[${value.size} entries]`
  const copy: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(value))
    copy[name] = hasNoSecrets(name, field) ? redacted : redact(field, depth + 1)
  return copy
}

const hasNoSecrets = (name: string, field: unknown): boolean => {
  if (name === 'state') return typeof field === 'object' && field !== null
  // A boolean only says that a secret exists.
  return field !== undefined && typeof field !== 'boolean' && withoutSecrets.test(name)
}

const errorFields = (error: Error, depth: number): Record<string, unknown> => {
  const { code, codes, status } = error as Error & Readonly<Record<'code' | 'codes' | 'status', unknown>>
  return {
    name: error.name,
    message: messageOf(error),
    ...(typeof code === 'string' ? { code } : {}),
    ...(Array.isArray(codes) ? { codes: codes.map(String) } : {}),
    ...(typeof status === 'number' ? { status } : {}),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
  }
}
