/** Actions that the activity records, by group, each with its name in the filter. */
export const ACTION_GROUPS = {
  'sign-ins': {
    label: 'Sign-ins',
    actions: {
      'signed in': 'Signed in',
      'signed in by passkey': 'Signed in by passkey',
      'signed in on a new device': 'New device',
      'signed out': 'Signed out',
      'failed to sign in': 'Wrong password or username',
      'passkey refused': 'Passkey refused',
      'refused without passkey': 'Password without the passkey',
      'locked out': 'Too many attempts',
      'guessed codes': 'Too many wrong codes',
      'used recovery code': 'Recovery code used',
    },
  },
  refusals: {
    label: 'Refused requests',
    actions: {
      'refused request': 'Not permitted',
      'refused request from another site': 'Sent by another website',
      'refused unknown id': 'Not there, or of another school',
    },
  },
  people: {
    label: 'Users',
    actions: {
      'added user': 'User added',
      'brought user back': 'Former user back',
      'changed user': 'User changed',
      'registered by invitation': 'User registered',
      'deleted user': 'User deleted',
      'sent password link': 'Password link sent',
      'deleted password link': 'Password link deleted',
      'set password by link': 'Password set',
      'signed user out': 'User signed out',
      'set password on the command line': 'Password set on the command line',
      'made password link on the command line': 'Password link made on the command line',
    },
  },
  accounts: {
    label: 'Own accounts',
    actions: {
      'changed own password': 'Own password changed',
      'changed own email': 'Own email changed',
      'changed own name': 'Own name changed',
      'changed own keys': 'Own keys changed',
      'requested password link': 'Forgotten password',
      'added second factor': 'Second factor added',
      'removed second factor': 'Second factor removed',
      'replaced recovery codes': 'Recovery codes replaced',
      'added passkey': 'Passkey added',
      'removed passkey': 'Passkey removed',
      'added access token': 'Access token added',
      'removed access token': 'Access token removed',
      'made calendar link': 'Calendar link made',
      'removed calendar link': 'Calendar link removed',
      'ended own session': 'Own session ended',
      'signed out everywhere': 'Signed out everywhere',
    },
  },
  invitations: {
    label: 'Invitations',
    actions: {
      'sent invitation': 'Invitation sent',
      'sent invitation again': 'Invitation sent again',
      'changed invitation': 'Invitation changed',
      'ended invitation': 'Invitation ended: joined',
      'deleted invitation': 'Invitation deleted',
    },
  },
  aircraft: {
    label: 'Aircraft',
    actions: {
      'added aircraft': 'Aircraft added',
      'deleted aircraft': 'Aircraft deleted',
      'set to maintenance': 'Set to maintenance',
      'marked as available': 'Marked as available',
      'saved last reading': 'Last reading saved',
      'declared meter change': 'Meter replaced or rolled over',
    },
  },
  flights: {
    label: 'Flights',
    actions: {
      'closed flight on behalf': 'Flight closed on behalf',
      'cancelled check-out': 'Check-out cancelled',
      'corrected readings': 'Flight corrected',
      'entered past flight': 'Past flight entered',
    },
  },
  squawks: {
    label: 'Squawks',
    actions: {
      'opened squawk': 'Squawk reported',
      'deferred squawk': 'Squawk deferred',
      'fixed squawk': 'Squawk fixed',
      'withdrew squawk': 'Squawk withdrawn',
      'reopened squawk': 'Squawk reopened',
    },
  },
  inspections: {
    label: 'Inspections',
    actions: {
      'added inspection': 'Inspection added',
      'changed inspection': 'Inspection changed',
      'completed inspection': 'Inspection done',
      'removed inspection': 'Inspection removed',
    },
  },
  imports: {
    label: 'Imports',
    actions: {
      'imported file': 'File imported',
      'undid import': 'Import undone',
    },
  },
  exports: {
    label: 'Exports',
    actions: {
      'exported flight logs': 'Flight logs exported',
      'exported hours': 'Hours exported',
      'exported activity': 'Activity exported',
      'exported everything': 'Everything exported',
      'exported own data': 'Own data exported',
    },
  },
  webhooks: {
    label: 'Webhooks',
    actions: {
      'added webhook': 'Webhook added',
      'changed webhook': 'Webhook changed',
      'removed webhook': 'Webhook removed',
      'replaced webhook secret': 'Webhook secret replaced',
      'tested webhook': 'Webhook tried',
      'sent event again': 'Event sent again',
    },
  },
  school: {
    label: 'School',
    actions: {
      'created school': 'School created',
      'founded on the command line': 'Created on the command line',
      'saved school settings': 'Settings saved',
      'alerted administrators': 'Administrators alerted',
      'mailed proof of activity': 'Proof of the activity mailed',
      'removed old activity': 'Old activity removed',
      'imported school': 'School imported',
      'asked for removal': 'Deletion of the school asked for',
      'called removal off': 'Deletion of the school called off',
      'removed school': 'School deleted',
    },
  },
  record: {
    label: 'What rows say',
    actions: {
      'recorded rows': 'Recorded after a change',
      'changed by hand': 'Changed by hand in the database',
      'accepted rows': 'Accepted as it stands',
    },
  },
} as const;

type Groups = typeof ACTION_GROUPS;
type ActionGroup = keyof Groups;
export type Action = { [Group in ActionGroup]: keyof Groups[Group]['actions'] }[ActionGroup];

function isActionGroup(text: string): text is ActionGroup {
  return Object.hasOwn(ACTION_GROUPS, text);
}

/** Returns the actions of a group, or the one of that name; none for any other text. */
export function actionsOfKind(kind: string): string[] {
  if (isActionGroup(kind)) return Object.keys(ACTION_GROUPS[kind].actions);
  return Object.values(ACTION_GROUPS).some(({ actions }) => Object.hasOwn(actions, kind)) ? [kind] : [];
}

const LABELS: ReadonlyMap<string, string> = new Map(
  Object.values(ACTION_GROUPS).flatMap(({ actions }) => Object.entries(actions)),
);

/** Returns the name of an action in the filter; an action of a later release has its own name. */
export function labelOfAction(action: string): string {
  return LABELS.get(action) ?? action;
}
