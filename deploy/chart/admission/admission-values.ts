import * as z from 'zod'
import { logLevels } from '../../../shared/log/log.ts'
import {
  componentValues,
  dnsName,
  imagePattern,
  imageValues,
  labels,
  open,
  processValues,
  text,
} from '../values/chart-values.ts'

/** The input of the admission charts. */
export interface AdmissionContents {
  /** The components of the webhooks of a garden: `admission-aws`. */
  readonly components: readonly string[]
  readonly isEnabled: (component: string) => boolean
}

/** The values of both admission charts, because gardener-operator gives both the same. */
export const admissionValuesSchema = ({ components, isEnabled }: AdmissionContents) =>
  z.strictObject({
    image: imageValues(),
    images: z
      .strictObject({
        webhook: z
          .string()
          .regex(imagePattern, 'expected an image with its registry')
          .exactOptional()
          .meta({ description: 'Image of the webhooks, including its registry.' }),
      })
      .default({})
      .meta({
        description: 'The image with its registry, preferably by digest, as `make images` writes it.',
      }),
    components: componentValues(components, {
      isEnabled,
      says: component =>
        `If true, this release serves the admission of ${component}; no other program may do so.`,
      of: component => `Admission of ${component}.`,
    }).meta({ description: 'Components of admission.' }),
    ...processValues('admission', { memory: '100Mi', memoryLimit: '384Mi' }),
    virtualGarden: z
      .strictObject({
        kubeconfigSecret: text(
          'Secret with the key kubeconfig for the virtual garden. Empty: gardener-operator injects it.',
        ),
        account: z
          .strictObject({
            name: z.string().min(1).default('admission').meta({ description: 'Its name.' }),
            namespace: z.string().regex(dnsName).default('garden').meta({ description: 'Its namespace.' }),
          })
          .prefault({})
          .meta({
            description: 'Account of the kubeconfig in the virtual garden. gardener-operator overrides it.',
          }),
      })
      .prefault({})
      .meta({ description: 'Access of admission to the virtual garden.' }),
    verticalPodAutoscaler: z
      .strictObject({
        enabled: z
          .boolean()
          .default(true)
          .meta({ description: 'If true, a VerticalPodAutoscaler sets its resources.' }),
      })
      .prefault({})
      .meta({ description: 'VerticalPodAutoscaler.' }),
    logLevel: z.enum(logLevels).default('info').meta({ description: 'Minimum level of log lines.' }),
    podLabels: labels('Additional labels of all pods.'),
    gardener: open('Added by gardener-operator. Do not set it.'),
    global: open("Helm's own values for charts that include this one."),
  })

export type AdmissionValues = z.output<ReturnType<typeof admissionValuesSchema>>
