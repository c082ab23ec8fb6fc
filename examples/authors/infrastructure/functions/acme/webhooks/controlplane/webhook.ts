import {
  changeCommand,
  changeContainer,
  changePod,
  changeTemplate,
  controlPlaneReviewer,
  controlPlaneWebhook,
  defineWebhook,
  type PodTemplate,
  setFlag,
} from '@trellis-gardener/trellis/webhooks'

const component = 'provider-acme'

/** Kubernetes leaves routes and load balancers of shoots on `acme` to the cloud's own controller manager. */
export const definition = defineWebhook({
  ...controlPlaneWebhook,
  component,
  namespaceSelector: { matchLabels: { 'shoot.gardener.cloud/provider': 'acme' } },
  review: controlPlaneReviewer({
    component,
    deployment: ({ name, object }) =>
      name === 'kube-controller-manager' ? { changed: changeTemplate(object, withExternalCloud) } : {},
    nodes: () => ({ kubelet: { flags: [['--cloud-provider', 'external']] } }),
  }),
})

const withExternalCloud = (template: PodTemplate): PodTemplate =>
  changePod(template, pod =>
    changeContainer(pod, 'kube-controller-manager', container =>
      changeCommand(container, command => setFlag(command, '--cloud-provider', 'external')),
    ),
  )
