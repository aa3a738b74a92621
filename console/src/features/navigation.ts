import type { LinkProps } from '@tanstack/react-router';
import {
  BadgeCheck,
  BellOff,
  BookUser,
  Building2,
  CalendarClock,
  ChartColumn,
  FileText,
  Flag,
  History,
  House,
  Inbox,
  KeyRound,
  LockKeyhole,
  Megaphone,
  MessageSquareText,
  MessageSquareX,
  RotateCw,
  ScrollText,
  Settings,
  ShieldCheck,
  TextSearch,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react';
import type { en } from '../shell/text.en.ts';

export interface NavigationLink {
  to: NonNullable<LinkProps['to']>;
  /** The name of the link, in shell/text.en.ts. */
  label: keyof typeof en;
  icon: LucideIcon;
  /** Whether the link is the current one only at its own address, and not at those below it. */
  isExact?: boolean;
  /** Whether only owners and administrators of the organization see it. */
  forManagers?: boolean;
}

/** The navigation. A feature adds its link to the group where people look for it. */
export const navigationGroups: {
  title: 'groupStart' | 'groupSend' | 'groupAudience' | 'groupDevelop' | 'groupOrganization';
  links: NavigationLink[];
}[] = [
  {
    title: 'groupStart',
    links: [
      { to: '/o/$organization', label: 'overview', icon: House, isExact: true },
      { to: '/o/$organization/messages', label: 'messages', icon: MessageSquareText },
      { to: '/o/$organization/inbound', label: 'inbound', icon: Inbox },
      { to: '/o/$organization/analytics', label: 'analytics', icon: ChartColumn },
      { to: '/o/$organization/security-codes', label: 'securityCodes', icon: ShieldCheck },
    ],
  },
  {
    title: 'groupSend',
    links: [
      { to: '/o/$organization/bulk-sms', label: 'bulkSms', icon: Megaphone },
      { to: '/o/$organization/campaigns', label: 'campaigns', icon: Flag },
      { to: '/o/$organization/templates', label: 'templates', icon: FileText },
      { to: '/o/$organization/schedules', label: 'schedules', icon: CalendarClock },
    ],
  },
  {
    title: 'groupAudience',
    links: [
      { to: '/o/$organization/contacts', label: 'contacts', icon: Users },
      { to: '/o/$organization/phonebooks', label: 'phonebooks', icon: BookUser },
      { to: '/o/$organization/suppressions', label: 'suppressions', icon: BellOff },
    ],
  },
  {
    title: 'groupDevelop',
    links: [
      { to: '/o/$organization/api-keys', label: 'apiKeys', icon: KeyRound, forManagers: true },
      { to: '/o/$organization/webhook-deliveries', label: 'webhooks', icon: Webhook },
    ],
  },
  {
    title: 'groupOrganization',
    links: [
      { to: '/o/$organization/sender-ids', label: 'senderIds', icon: BadgeCheck },
      { to: '/o/$organization/members', label: 'members', icon: Users },
      { to: '/o/$organization/audit-events', label: 'auditLog', icon: ScrollText, forManagers: true },
      { to: '/o/$organization/settings', label: 'settings', icon: Settings, forManagers: true },
    ],
  },
];

/** The links for administrators of the service. */
export const administrationLinks: NavigationLink[] = [
  { to: '/admin/sender-ids', label: 'senderReviews', icon: BadgeCheck },
  { to: '/admin/organizations', label: 'organizations', icon: Building2 },
  { to: '/admin/failed-messages', label: 'failedMessages', icon: MessageSquareX },
  { to: '/admin/webhook-deliveries', label: 'deadWebhooks', icon: Webhook },
  { to: '/admin/redrives', label: 'redrives', icon: RotateCw },
  { to: '/admin/security-codes', label: 'securityCodes', icon: ShieldCheck },
  { to: '/admin/content-rules', label: 'contentRules', icon: TextSearch },
  { to: '/admin/users', label: 'users', icon: Users },
  { to: '/admin/audit-events', label: 'auditLog', icon: ScrollText },
];

/** The links of the pages about the user's own account. */
export const accountLinks: NavigationLink[] = [
  { to: '/account/security', label: 'security', icon: LockKeyhole },
  { to: '/account/activity', label: 'activity', icon: History },
];
