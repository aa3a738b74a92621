/** The rules by which the service counts segments: the meter shows what is billed. */
export {
  segmentMessage,
  type ForcingCharacter,
  type SegmentedMessage,
} from '../../../../src/messages/segments.ts';
