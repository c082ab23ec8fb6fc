import type { CloudReads } from '../provider.ts'

const reading = /^(?:Get|List|Describe|Head|AssumeRole)/

/**
 * Most services of AWS send their reads with POST: the action is a field of a form (EC2, IAM, STS, load balancers) or
 * in a header (JSON).
 */
export const awsReads: CloudReads = {
  isRead: ({ method, url, headers, body = '' }) => {
    // The query APIs also take an action from the URL, with GET, too.
    if (new URL(url).searchParams.has('Action')) return false
    if (method !== 'POST') return method === 'GET' || method === 'HEAD'
    const target = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-amz-target')?.[1]
    const actions = new URLSearchParams(body).getAll('Action')
    // A second action could be the one that counts.
    return actions.length === 1
      ? target === undefined && reading.test(actions[0] ?? '')
      : actions.length === 0 && reading.test(target?.split('.').at(-1) ?? '')
  },
  // Route 53 allows an account 5 requests per second, in all seeds together (docs/decisions/0092).
  perSecond: ({ hostname }) => (hostname.startsWith('route53.') ? 2 : 10),
  isOwner: ({ hostname }) => /\.(?:amazonaws\.(?:com|com\.cn|eu)|api\.aws)$/.test(hostname),
  accountOf: headers => {
    const signed = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? ''
    return /Credential=([^/]+)/.exec(signed)?.[1] ?? ''
  },
  ignored: /^(?:x-amz-(?:date|user-agent|content-sha256|security-token)|amz-sdk-.*)$/,
}
