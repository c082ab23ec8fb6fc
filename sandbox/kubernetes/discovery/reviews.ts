import { isRecord } from '../schema/structural-schema.ts'

/** The only user. Requests are not authenticated. */
const user = { username: 'trellis-sandbox', groups: ['system:masters', 'system:authenticated'] }

const answers: Readonly<Record<string, object>> = {
  SelfSubjectAccessReview: { allowed: true, reason: 'the sandbox allows everything' },
  SelfSubjectRulesReview: {
    incomplete: false,
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  },
  SelfSubjectReview: { userInfo: user },
}

/** Returns the answer to a client's question about itself (`kubectl auth can-i`, `auth whoami`). */
export const answerReview = (kind: string, body: unknown): object => ({
  ...(isRecord(body) ? body : {}),
  kind,
  status: answers[kind] ?? {},
})

export const reviewKind = (group: string, plural: string): string | undefined => {
  if (group !== 'authorization.k8s.io' && group !== 'authentication.k8s.io') return undefined
  return Object.keys(answers).find(kind => `${kind.toLowerCase()}s` === plural)
}
