import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'

export interface ServiceAccount {
  readonly namespace: string
  readonly name: string
}

/** One answered request, as recorded by an authorizer. */
export interface AuditedRequest {
  /** The name of the service account. */
  readonly account: string
  /** `get`, `list`, `watch`, `create`, `patch`, … */
  readonly verb: string
  /** With the group and the subresource, if any: `controlplanes.extensions.gardener.cloud/status`. */
  readonly resource: string
  readonly status: number
}

interface AuditEvent {
  readonly user: { readonly username: string }
  readonly verb: string
  readonly requestURI: string
  readonly objectRef?: {
    readonly resource: string
    readonly apiGroup?: string
    readonly subresource?: string
  }
  readonly responseStatus?: { readonly code: number }
}

/** Makes kube-apiserver log the requests of service accounts in files of `folder`. */
export const startAudit = async (
  folder: string,
  accounts: readonly ServiceAccount[],
): Promise<{
  readonly args: readonly string[]
  readonly requests: () => Promise<readonly AuditedRequest[]>
}> => {
  const policy = join(folder, 'audit-policy.yaml')
  const log = join(folder, 'audit.log')
  const content = stringify({
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived', 'ResponseStarted'],
    rules: [
      {
        level: 'Metadata',
        users: accounts.map(({ namespace, name }) => `system:serviceaccount:${namespace}:${name}`),
      },
      // The last rule applies to all others.
      { level: 'None' },
    ],
  })
  await writeFile(policy, content)
  await writeFile(log, '')
  return {
    args: [`--audit-policy-file=${policy}`, `--audit-log-path=${log}`],
    requests: async () =>
      (await readFile(log, 'utf8'))
        .split('\n')
        .filter(line => line !== '')
        .map(line => {
          const { user, verb, objectRef, requestURI, responseStatus } = JSON.parse(line) as AuditEvent
          return {
            account: user.username.split(':').at(-1) ?? '',
            verb,
            resource: nameOf(objectRef) ?? requestURI,
            status: responseStatus?.code ?? 0,
          }
        }),
  }
}

const nameOf = (ref: AuditEvent['objectRef']): string | undefined =>
  ref &&
  `${ref.resource}${ref.apiGroup ? `.${ref.apiGroup}` : ''}${ref.subresource ? `/${ref.subresource}` : ''}`
