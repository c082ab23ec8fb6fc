import { NormalizedSchema, type TypeRegistry } from '@smithy/core/schema'
import type { StaticErrorSchema, StaticOperationSchema } from '@smithy/types'
import type { WireRequest } from './message.ts'

export type Protocol = 'ec2Query' | 'awsQuery' | 'restXml' | 'restJson'

export interface ModelOperation {
  readonly name: string
  readonly input: NormalizedSchema
  readonly output: NormalizedSchema
  /** Method, path with its labels, and the success status. Only in the REST protocols. */
  readonly http?: { readonly method: string; readonly path: string; readonly status: number }
}

/** An error as the service models it. */
export interface ErrorShape {
  readonly status: number
  readonly schema: NormalizedSchema
}

/** The address of a request if a part is outside the path template, such as S3's bucket. */
export interface RequestAddress {
  readonly path: string
  /** Labels taken from the host or from the front of the path. */
  readonly labels: Readonly<Record<string, string>>
}

/** The codec's model of a service, derived from the schemas of the service's SDK client. */
export interface ServiceModel {
  /** The name in the call log and in faults, and the `service` of the credential scope: `route53`. */
  readonly name: string
  readonly protocol: Protocol
  readonly version: string
  readonly xmlNamespace: string
  /** restXml only: S3 sends a bare `<Error>`, the others wrap it in `<ErrorResponse>`. */
  readonly bareErrors: boolean
  readonly operations: ReadonlyMap<string, ModelOperation>
  /** Errors by the code that is sent. */
  readonly errors: ReadonlyMap<string, ErrorShape>
  readonly locate?: (request: WireRequest) => RequestAddress
}

export interface ServiceDescription {
  readonly name: string
  readonly protocol: Protocol
  readonly version: string
  readonly xmlNamespace?: string
  readonly bareErrors?: boolean
  readonly locate?: (request: WireRequest) => RequestAddress
  /** Operations and errors as Smithy's static schemas. Other values are ignored. */
  readonly schemas: readonly unknown[]
}

const kindOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined)
const isOperation = (value: unknown): value is StaticOperationSchema => kindOf(value) === 9
const isError = (value: unknown): value is StaticErrorSchema => kindOf(value) === -3

const operationOf = ([, , name, traits, input, output]: StaticOperationSchema): ModelOperation => {
  const http = typeof traits === 'object' ? traits.http : undefined
  return {
    name,
    // Created on demand: most operations of EC2 are never called.
    get input() {
      return NormalizedSchema.of(input)
    },
    get output() {
      return NormalizedSchema.of(output)
    },
    ...(http ? { http: { method: http[0], path: http[1], status: http[2] } } : {}),
  }
}

const errorOf = (schema: StaticErrorSchema): [code: string, shape: ErrorShape] => {
  const traits = typeof schema[3] === 'object' ? schema[3] : {}
  const queryError = Array.isArray(traits.awsQueryError) ? traits.awsQueryError : []
  const fallback = traits.error === 'server' ? 500 : 400
  return [
    String(queryError[0] ?? schema[2]),
    {
      status: Number(queryError[1] ?? traits.httpError ?? fallback),
      schema: NormalizedSchema.of(schema as Parameters<TypeRegistry['registerError']>[0]),
    },
  ]
}

/** Creates the model of a service from its operations and errors. */
export const serviceModel = ({
  schemas,
  xmlNamespace = '',
  bareErrors = false,
  ...rest
}: ServiceDescription): ServiceModel => ({
  ...rest,
  xmlNamespace,
  bareErrors,
  operations: new Map(schemas.filter(isOperation).map(schema => [schema[2], operationOf(schema)])),
  errors: new Map(schemas.filter(isError).map(errorOf)),
})
