import { isMap, parseDocument } from 'yaml'
import * as z from 'zod'
import { configurationProblem } from '../../../../shared/contract/errors.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import { reviewerOf } from '../../../../shared/webhooks/components/webhooks.ts'
import { component } from '../component.ts'

const configMapSchema = z.looseObject({ data: z.record(z.string(), z.string()).nullish() })
const key = 'config.yaml'

/** The configuration of kube-proxy: nodes are pods, which cannot set kernel limits of the host. */
export const definition = defineWebhook({
  name: 'shoot',
  component,
  action: 'mutate',
  target: 'shoot',
  // Without the change the nodes have no network. Only Gardener writes this object, and it retries.
  failurePolicy: 'Fail',
  resources: [{ group: '', versions: ['v1'], plural: 'configmaps', kind: 'ConfigMap' }],
  namespaceSelector: {
    matchExpressions: [{ key: 'gardener.cloud/purpose', operator: 'In', values: ['kube-system'] }],
  },
  objectSelector: { matchLabels: { app: 'kubernetes', role: 'proxy' } },
  review: reviewerOf(configMapSchema, ({ name, object }) => {
    const text = object.data?.[key]
    if (!name.startsWith('kube-proxy-config') || text === undefined) return {}
    try {
      return { changed: { ...object, data: { ...object.data, [key]: withoutConntrackLimit(text) } } }
    } catch (error) {
      throw configurationProblem(`could not decode kube-proxy configuration: ${messageOf(error)}`, error)
    }
  }),
})

const apiVersion = 'kubeproxy.config.k8s.io/v1alpha1'
const kind = 'KubeProxyConfiguration'
const limit = ['conntrack', 'maxPerCore']

/**
 * Returns a kube-proxy configuration (YAML or JSON) that does not change the kernel's connection table. Returns the
 * same text if it already does not. Throws an Error in one line, without any of the text, if it is not such a
 * configuration.
 */
const withoutConntrackLimit = (text: string): string => {
  // Aliases are not resolved, so they cost nothing. Keys are not compared pairwise, which takes quadratic time.
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'error' })
  const [problem] = document.errors
  if (problem !== undefined)
    throw new Error(`line ${text.slice(0, problem.pos[0]).split('\n').length}: not YAML (${problem.code})`)
  const map: unknown = document.contents
  if (!isMap(map) || map.get('kind') !== kind || map.get('apiVersion') !== apiVersion)
    throw new Error(`it is not a ${kind} of ${apiVersion}`)
  if (!isMap(map.get('conntrack'))) document.set('conntrack', document.createNode({}))
  if (document.getIn(limit) === 0) return text
  document.setIn(limit, 0)
  return document.toString({ lineWidth: 0, indentSeq: false })
}
