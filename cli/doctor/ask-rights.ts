import { recordOf } from '../../shared/decode/record-of.ts'
import { hasStatus, type Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import type { AskedRight, ExpectedRight } from './checked-seed.ts'
import { inParallel } from './read-seed.ts'

const reviews = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'subjectaccessreviews',
  namespaced: false,
} as const

/** Asks the API server for the permissions of accounts. Stores nothing there. Unanswered permissions stay undefined. */
export const askRights = (
  kubernetes: Pick<Kubernetes, 'create'>,
  namespace: string,
  rights: readonly ExpectedRight[],
  signal: AbortSignal,
): Promise<readonly AskedRight[]> => {
  let refused: { readonly allowed: undefined; readonly unchecked?: boolean } | undefined
  return inParallel(rights, async right => {
    if (refused !== undefined || signal.aborted) return { ...right, allowed: undefined, ...refused }
    const [resource = '', subresource] = right.resource.split('/')
    try {
      const { status } = await kubernetes.create(
        reviews,
        {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          // The API server accepts a review only with empty metadata.
          metadata: { name: '' },
          spec: {
            user: `system:serviceaccount:${namespace}:${right.account}`,
            groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
            resourceAttributes: {
              verb: right.verb,
              group: right.group,
              resource,
              ...(subresource !== undefined && { subresource }),
              ...(right.namespace !== undefined && { namespace: right.namespace }),
              ...(right.name !== undefined && { name: right.name }),
            },
          },
        },
        { signal },
      )
      return { ...right, allowed: recordOf(status).allowed === true }
    } catch (error) {
      const unchecked = hasStatus(error, 404)
      refused = { allowed: undefined, ...(unchecked && { unchecked }) }
      return { ...right, ...refused }
    }
  })
}
