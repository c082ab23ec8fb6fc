import type { Representation } from '../read/representation.ts'
import type { ApiContext } from '../requests/api-context.ts'
import type { ApiRequest } from '../requests/api-request.ts'
import type { ResourceRequest } from '../requests/resource-path.ts'
import type { ServedResource } from '../resources/registry.ts'

/** A request for a served resource and the format of its response. */
export interface ResourceCall {
  readonly context: ApiContext
  readonly request: ApiRequest
  readonly target: ResourceRequest
  readonly served: ServedResource
  readonly query: URLSearchParams
  readonly shown: Representation
}
