import { isMap, parseDocument } from 'yaml'

const apiVersion = 'kubeproxy.config.k8s.io/v1alpha1'
const kind = 'KubeProxyConfiguration'
const limit = ['conntrack', 'maxPerCore']

/**
 * Returns a kube-proxy configuration (YAML or JSON) that does not change the kernel's connection table. Returns the
 * same text if it already does not. Throws an Error in one line, without any of the text, if it is not such a
 * configuration.
 */
export const withoutConntrackLimit = (text: string): string => {
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
