export interface StatusCause {
  /** `FieldValueRequired`, `FieldValueInvalid`, … */
  readonly reason: string
  readonly message: string
  readonly field?: string
}

export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

/** The fields of a `metav1.Status` that differ between failures. */
export interface StatusFailure {
  readonly code: number
  /** Empty if kube-apiserver sends none. */
  readonly reason: string
  readonly message: string
  readonly details?: StatusDetails
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** Ends a request with this failure. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError'
  readonly failure: StatusFailure

  constructor(failure: StatusFailure) {
    super(failure.message)
    this.failure = failure
  }
}

/** Returns the `Status` document of a failure as it is sent. */
export const statusOf = ({ code, reason, message, details, metadata = {} }: StatusFailure): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata,
  status: 'Failure',
  message,
  ...(reason === '' ? {} : { reason }),
  ...(details === undefined ? {} : { details }),
  code,
})

/** The names for messages: the resource as `dnsrecords.extensions.gardener.cloud`, likewise the kind. */
export interface Named {
  readonly group: string
  readonly plural: string
  readonly kind: string
}

const qualified = (name: string, group: string): string => (group === '' ? name : `${name}.${group}`)

const detailsOf = (type: Named, name: string): StatusDetails => ({
  name,
  ...(type.group === '' ? {} : { group: type.group }),
  kind: type.plural,
})

export const notFound = (type: Named, name: string): ApiError =>
  new ApiError({
    code: 404,
    reason: 'NotFound',
    message: `${qualified(type.plural, type.group)} "${name}" not found`,
    details: detailsOf(type, name),
  })

export const alreadyExists = (type: Named, name: string): ApiError =>
  new ApiError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${qualified(type.plural, type.group)} "${name}" already exists`,
    details: detailsOf(type, name),
  })

export const conflict = (type: Named, name: string, why: string): ApiError =>
  new ApiError({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualified(type.plural, type.group)} "${name}": ${why}`,
    details: detailsOf(type, name),
  })

/** The `why` of a lost optimistic lock. */
export const modifiedMeanwhile =
  'the object has been modified; please apply your changes to the latest version and try again'

export const forbidden = (
  type: Named,
  name: string,
  why: string,
  causes: readonly StatusCause[] = [],
): ApiError =>
  new ApiError({
    code: 403,
    reason: 'Forbidden',
    message: `${qualified(type.plural, type.group)} ${name === '' ? '' : `"${name}" `}is forbidden: ${why}`,
    details: { ...detailsOf(type, name), ...(causes.length > 0 ? { causes } : {}) },
  })

/** Returns 422. Each cause is a field and its error; the message lists them all, as kubectl prints it. */
export const invalid = (
  type: Pick<Named, 'group' | 'kind'>,
  name: string,
  causes: readonly StatusCause[],
): ApiError => {
  const texts = [...new Set(causes.map(cause => `${cause.field}: ${cause.message}`))]
  const list = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`
  return new ApiError({
    code: 422,
    reason: 'Invalid',
    message: `${qualified(type.kind, type.group)} "${name}" is invalid: ${list}`,
    details: {
      ...(name === '' ? {} : { name }),
      ...(type.group === '' ? {} : { group: type.group }),
      ...(type.kind === '' ? {} : { kind: type.kind }),
      causes,
    },
  })
}

export const badRequest = (message: string): ApiError =>
  new ApiError({ code: 400, reason: 'BadRequest', message })

/** A document that cannot be parsed as an object of its kind. */
export class UndecodableError extends ApiError {
  override readonly name = 'UndecodableError'
  /** The message of Go's decoder. */
  readonly why: string

  constructor(kind: string, version: string, why: string) {
    const message = `${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`
    super({ code: 400, reason: 'BadRequest', message })
    this.why = why
  }
}

export const undecodable = (kind: string, version: string, why: string): UndecodableError =>
  new UndecodableError(kind, version, why)

/**
 * The error for a patch result that cannot be parsed as an object. It is reported as an error of the patch, without the
 * kind.
 */
export const badPatch = (patched: unknown, why: string): ApiError => {
  const message = `Invalid value: ${JSON.stringify(JSON.stringify(patched))}: ${why}`
  return invalid({ group: '', kind: '' }, '', [{ reason: 'FieldValueInvalid', message, field: 'patch' }])
}

export const methodNotAllowed = (): ApiError =>
  new ApiError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  })

export const pageNotFound = '404 page not found\n'

/** Returns 422 for a query parameter or an option: `CreateOptions.meta.k8s.io "" is invalid: dryRun: …`. */
export const invalidOption = (kind: string, field: string, reason: string, message: string): ApiError =>
  invalid({ group: 'meta.k8s.io', kind }, '', [{ reason, message, field }])

export const notAcceptable = (accepted: readonly string[]): ApiError =>
  new ApiError({
    code: 406,
    reason: 'NotAcceptable',
    message: `only the following media types are accepted: ${accepted.join(', ')}`,
  })

export const unsupportedMediaType = (accepted: readonly string[]): ApiError =>
  new ApiError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  })

/** Returns 410: the version is no longer available. */
export const expired = (message: string, metadata?: Readonly<Record<string, unknown>>): ApiError =>
  new ApiError({ code: 410, reason: 'Expired', message, ...(metadata && { metadata }) })

/** Returns 504: a version that does not exist yet. */
export const versionTooLarge = (wanted: number, current: number): ApiError =>
  new ApiError({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${wanted}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  })
