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
          .meta({ description: 'Image of the webhooks, with its registry.' }),
      })
      .default({})
      .meta({ description: 'The image with its registry and best by digest, as `make images` writes it.' }),
    components: componentValues(components, {
      isEnabled,
      says: component => `Whether ${component} is answered for; no other program may be.`,
      of: component => `Admission of ${component}.`,
    }).meta({ description: 'Whose objects are looked at.' }),
    ...processValues('admission', { memory: '100Mi', memoryLimit: '384Mi' }),
    virtualGarden: z
      .strictObject({
        kubeconfigSecret: text(
          'Secret with the key kubeconfig, by which admission reaches the virtual garden. Empty: gardener-operator injects it.',
        ),
        account: z
          .strictObject({
            name: z.string().min(1).default('admission').meta({ description: 'Its name.' }),
            namespace: z.string().regex(dnsName).default('garden').meta({ description: 'Its namespace.' }),
          })
          .prefault({})
          .meta({
            description:
              'The account in the virtual garden that the kubeconfig is for. What gardener-operator says comes before it.',
          }),
      })
      .prefault({})
      .meta({ description: 'How admission gets to the virtual garden.' }),
    verticalPodAutoscaler: z
      .strictObject({
        enabled: z.boolean().default(true).meta({ description: 'Whether it is sized by what it takes.' }),
      })
      .prefault({})
      .meta({ description: 'VerticalPodAutoscaler.' }),
    logLevel: z.enum(logLevels).default('info').meta({ description: 'Least level that is logged.' }),
    podLabels: labels('Labels of all pods, beside their own.'),
    gardener: open('What gardener-operator adds: nothing to be set by hand.'),
    global: open("Helm's own, for charts that have this one among them."),
  })

export type AdmissionValues = z.output<ReturnType<typeof admissionValuesSchema>>
