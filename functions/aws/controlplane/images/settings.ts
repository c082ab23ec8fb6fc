import { imageSettingsFor } from '../../../../shared/images/images.ts'
import { imageTable } from './image-table.ts'

/** The settings for the images of AWS components. */
export const imageSettings = imageSettingsFor(imageTable)
