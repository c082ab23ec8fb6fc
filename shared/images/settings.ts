import * as z from 'zod'
import { messageOf } from '../text/message-of.ts'
import { type ImageSource, openImages } from './find-image.ts'

/** Settings of processes that choose images. An invalid file is reported with the settings, before anything starts. */
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
