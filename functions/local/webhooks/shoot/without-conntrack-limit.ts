import { isMap, parseDocument } from 'yaml'

const apiVersion = 'kubeproxy.config.k8s.io/v1alpha1'
const kind = 'KubeProxyConfiguration'
const limit = ['conntrack', 'maxPerCore']

/**
 * A configuration of kube-proxy (YAML or JSON) that leaves the kernel's table of connections alone; the very same text where it
 * does. Throws an Error in one line, without what is in the text, for what is no such configuration.
 */
export const withoutConntrackLimit = (text: string): string => {
  // Nothing is resolved, so aliases cost nothing; and keys are not compared with each other, which takes the square of time.
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'error' })
  const [problem] = document.errors
  if (problem !== undefined)
    throw new Error(`line ${text.slice(0, problem.pos[0]).split('\n').length}: not YAML (${problem.code})`)
  const map: unknown = document.contents
  if (!isMap(map) || map.get('kind') !== kind || map.get('apiVersion') !== apiVersion)
    throw new Error(`it is no ${kind} of ${apiVersion}`)
  if (!isMap(map.get('conntrack'))) document.set('conntrack', document.createNode({}))
  if (document.getIn(limit) === 0) return text
  document.setIn(limit, 0)
  return document.toString({ lineWidth: 0, indentSeq: false })
}
