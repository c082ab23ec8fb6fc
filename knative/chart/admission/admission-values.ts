import * as z from 'zod'
import { logLevels } from '../../../shared/log/log.ts'
import {
  componentValues,
  flag,
  group,
  imageValue,
  imageValues,
  labels,
  nameValue,
  open,
  priorityClassValue,
  processValues,
  text,
} from '../values/chart-values.ts'

export interface AdmissionContents {
  /** The components of the webhooks of a garden: `admission-aws`. */
  readonly components: readonly string[]
  /** The providers with objects in the garden. */
  readonly providers: readonly string[]
  readonly isEnabled: (componentOrProvider: string) => boolean
}

/** The values of both admission charts, because gardener-operator gives both the same. */
export const admissionValuesSchema = ({
  components,
  providers,
}: Pick<AdmissionContents, 'components' | 'providers'>) =>
  z.strictObject({
    image: imageValues(),
    images: z
      .strictObject({ webhook: imageValue('the webhooks').exactOptional() })
      .default({})
      .meta({ description: 'The image with registry and preferably digest, as `make images` writes it.' }),
    components: componentValues(
      components,
      'Serves the admission of the component. No other program may register it.',
    ).meta({ description: 'The components with admission. Their objects are checked.' }),
    gardenObjects: componentValues(
      providers,
      'Installs the CustomResourceDefinitions and project roles of the provider.',
    ).meta({ description: 'The providers with objects in the virtual garden.' }),
    ...processValues('admission', { memory: '100Mi', memoryLimit: '384Mi' }),
    virtualGarden: group('The access to the virtual garden.', {
      kubeconfigSecret: text(
        'Secret with the key kubeconfig for the virtual garden. Empty: gardener-operator injects it.',
      ),
      account: group('The account of the kubeconfig. Values from gardener-operator override it.', {
        name: z.string().min(1).default('admission').meta({ description: 'Name of the account.' }),
        namespace: nameValue('garden', 'Namespace of the account.'),
      }),
    }),
    verticalPodAutoscaler: group('VerticalPodAutoscaler.', {
      enabled: flag(true, 'Adjusts the requests of a pod to its usage.'),
    }),
    logLevel: z.enum(logLevels).default('info').meta({ description: 'Minimum level of logged lines.' }),
    priorityClassName: priorityClassValue('gardener-garden-system-400', 'the process'),
    podLabels: labels('Labels that are added to all pods.'),
    gardener: open('Values from gardener-operator. Do not set them.'),
    global: open("Helm's values for charts that contain this one."),
  })

export type AdmissionValues = z.output<ReturnType<typeof admissionValuesSchema>>
