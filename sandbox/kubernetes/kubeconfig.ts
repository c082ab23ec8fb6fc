/** Returns a kubeconfig with this server as its only context. */
export const kubeconfigFor = (url: string): string => `apiVersion: v1
kind: Config
clusters:
- name: trellis
  cluster:
    server: ${url}
    # client-node refuses http:// without it.
    insecure-skip-tls-verify: true
users:
- name: trellis
  user: {}
contexts:
- name: trellis
  context:
    cluster: trellis
    user: trellis
current-context: trellis
`
