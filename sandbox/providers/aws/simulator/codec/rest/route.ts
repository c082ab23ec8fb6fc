import type { NormalizedSchema } from '@smithy/core/schema'
import { MalformedRequest } from '../malformed.ts'
import type { WireRequest } from '../message.ts'
import type { ModelOperation, RequestAddress, ServiceModel } from '../model.ts'

/** The operation of a REST request, with the decoded labels of its path. */
export interface MatchedRoute {
  readonly operation: ModelOperation
  readonly labels: Readonly<Record<string, string>>
}

interface Candidate {
  readonly operation: ModelOperation
  readonly method: string
  readonly pattern: RegExp
  /** Names of the groups of `pattern`, in order. */
  readonly labels: readonly string[]
  /** Labels outside of the path (S3's `S3Bucket`). */
  readonly outside: readonly string[]
  readonly statics: readonly (readonly [string, string])[]
  readonly requiredQuery: readonly string[]
  readonly requiredHeaders: readonly string[]
  /** Number of literal characters in the path. More means more specific. */
  readonly literal: number
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The first n members of a structure schema are its required ones. */
export const requiredMembers = (schema: NormalizedSchema): [string, NormalizedSchema][] => {
  if (!schema.isStructSchema()) return []
  const source = schema.getSchema()
  const count = Array.isArray(source) ? Number(source[6] ?? 0) : 0
  return [...schema.structIterator()].slice(0, count)
}

const candidate = (operation: ModelOperation, http: NonNullable<ModelOperation['http']>): Candidate => {
  const [path = '/', search = ''] = http.path.split('?')
  const labels: string[] = []
  let literal = 0
  const pattern = path
    .split(/(\{[^{}]+\})/)
    .map(part => {
      const label = /^\{([^}+]+)(\+)?\}$/.exec(part)
      if (!label) {
        literal += part.length
        return literally(part)
      }
      labels.push(String(label[1]))
      return label[2] ? '(.+)' : '([^/]+)'
    })
    .join('')
  const members = operation.input.isStructSchema() ? [...operation.input.structIterator()] : []
  const traits = requiredMembers(operation.input).map(([, member]) => member.getMergedTraits())
  return {
    operation,
    method: http.method,
    // boto appends a slash to some Route 53 paths. In S3's greedy keys a final slash is significant.
    pattern: new RegExp(`^${pattern}${path.endsWith('+}') || path.endsWith('/') ? '' : '/?'}$`),
    labels,
    outside: members
      .filter(([name, member]) => member.getMergedTraits().httpLabel && !labels.includes(name))
      .map(([name]) => name),
    statics: [...new URLSearchParams(search)],
    requiredQuery: traits.flatMap(({ httpQuery }) => (httpQuery === undefined ? [] : [httpQuery])),
    requiredHeaders: traits.flatMap(({ httpHeader }) =>
      httpHeader === undefined ? [] : [httpHeader.toLowerCase()],
    ),
    literal,
  }
}

/** Clients other than the JavaScript ones do not send S3's `x-id`. */
const isHint = ([name]: readonly [string, string]): boolean => name === 'x-id'

const sameNames = (names: readonly string[], labels: Readonly<Record<string, string>>): boolean =>
  names.length === Object.keys(labels).length && names.every(name => name in labels)

const staticsHold = ({ statics }: Candidate, { query }: WireRequest): boolean =>
  statics.every(pair => {
    const values = query.get(pair[0])
    return values ? values.includes(pair[1]) : isHint(pair)
  })

const complete = (entry: Candidate, { query, headers }: WireRequest): boolean =>
  entry.requiredQuery.every(name => query.has(name)) && entry.requiredHeaders.every(name => name in headers)

const specificity = (entry: Candidate): number =>
  entry.literal * 1000 +
  entry.statics.filter(pair => !isHint(pair)).length * 100 +
  entry.requiredQuery.length * 10 +
  entry.requiredHeaders.length

/**
 * Returns the best matching candidate. A candidate without required parts is used only if no other candidate matches.
 */
const best = (fitting: readonly Candidate[], request: WireRequest): Candidate | undefined => {
  const whole = fitting.filter(entry => complete(entry, request))
  return [...(whole.length > 0 ? whole : fitting)].sort((a, b) => specificity(b) - specificity(a))[0]
}

/**
 * Creates the router of a REST service: from method, path and query to the operation. The router throws
 * MalformedRequest of kind `operation` if no operation matches.
 */
export const createRouter = (model: ServiceModel): ((request: WireRequest) => MatchedRoute) => {
  const candidates = [...model.operations.values()].flatMap(operation =>
    operation.http ? [candidate(operation, operation.http)] : [],
  )
  return request => {
    const { path, labels } = located(model, request)
    const fitting = candidates.filter(
      entry =>
        entry.method === request.method &&
        entry.pattern.test(path) &&
        sameNames(entry.outside, labels) &&
        staticsHold(entry, request),
    )
    const chosen = best(fitting, request)
    if (!chosen) {
      const isPath = (entry: Candidate) => entry.pattern.test(path) && sameNames(entry.outside, labels)
      const methods = new Set(candidates.filter(isPath).map(({ method }) => method))
      const other = methods.size > 0 && !methods.has(request.method)
      throw other
        ? new MalformedRequest('method', request.method, 'no method of this path')
        : new MalformedRequest('operation', `${request.method} ${path}`, 'no such operation')
    }
    const groups = chosen.pattern.exec(path)?.slice(1) ?? []
    return {
      operation: chosen.operation,
      labels: {
        ...labels,
        ...Object.fromEntries(chosen.labels.map((name, index) => [name, decodeLabel(groups[index] ?? '')])),
      },
    }
  }
}

const located = (model: ServiceModel, request: WireRequest): RequestAddress => {
  if (!model.locate) return { path: request.path, labels: {} }
  try {
    return model.locate(request)
  } catch (cause) {
    throw new MalformedRequest('value', request.path, 'is not percent-encoded UTF-8', { cause })
  }
}

const decodeLabel = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new MalformedRequest('value', text, 'is not percent-encoded UTF-8', { cause })
  }
}
