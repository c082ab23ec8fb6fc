import { imageSettingsFor } from '../../../../shared/images/images.ts'
import { imageTable } from './image-table.ts'

/** What can be set where images of AWS's components are chosen. */
export const imageSettings = imageSettingsFor(imageTable)
