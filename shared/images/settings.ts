import * as z from 'zod'
import { messageOf } from '../text/message-of.ts'
import { type ImageSource, openImages } from './find-image.ts'

/**
 * Returns settings of processes that choose images. An invalid file is reported with the settings, before anything starts.
 *
 * @example
 * const settings = imageSettingsFor([{ name: 'dns-sync', repository: 'registry.example.com/dns-sync', tag: 'v1.2.3' }])
 */
export const imageSettingsFor = (builtIn: readonly ImageSource[]) =>
  z.object({
    imagevectorOverwrite: z
      .string()
      .superRefine((file, context) => {
        try {
          openImages(builtIn, file)
        } catch (error) {
          context.addIssue({ code: 'custom', message: messageOf(error) })
        }
      })
      .default('')
      .meta({
        description:
          "File with images that override the defaults, in the format of Gardener's image vectors (YAML).",
      }),
  })

/** The settings of `imageSettingsFor`, parsed. */
export type ImageSettings = Readonly<z.output<ReturnType<typeof imageSettingsFor>>>

/**
 * Returns a function that reads the operator's file once per settings object, and caches it as long as that object
 * exists.
 *
 * @example
 * const images = imagesOfSettings([{ name: 'dns-sync', repository: 'registry.example.com/dns-sync', tag: 'v1.2.3' }])
 * const [image] = images({ imagevectorOverwrite: '' })
 */
export const imagesOfSettings = (
  builtIn: readonly ImageSource[],
): ((settings: ImageSettings) => readonly ImageSource[]) => {
  const opened = new WeakMap<ImageSettings, readonly ImageSource[]>()
  return settings => {
    const images = opened.get(settings) ?? openImages(builtIn, settings.imagevectorOverwrite)
    opened.set(settings, images)
    return images
  }
}
