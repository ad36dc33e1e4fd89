// The payloads of the 24 calls of the specification, as literals.
export const signIn = { username: 'ida', password: 'gull-9-harbour' };
export const school = { name: 'Cascade Aviation', address: '2 Field Road', phone: '555 0100' };
export const invited = {
  username: 'ida',
  password: 'gull-9-harbour',
  email: 'ida@example.com',
  invitationToken: 'aZ4',
};
export const added = {
  username: 'ben',
  email: 'ben@example.com',
  password: 'gull-9-harbour',
  role: 'student' as const,
  flightSchoolId: 1,
};
export const aircraft = { tailNumber: 'N512SP', make: 'Cessna', model: '172S', year: 2004 };
export const maintenance = { status: 'maintenance' as const };
export const available = { status: null };
export const photo = { imageData: '/9j/4AAQSkZJRg==', meterType: 'hobbs' as const, aircraftId: 7 };
export const checkOut = {
  aircraftId: 7,
  startHobbsTime: '1234.5',
  startTachTime: '1100.2',
  status: 'in_progress' as const,
};
export const checkIn = {
  endHobbsTime: '1235.7',
  endTachTime: '1101.2',
  instructorId: null,
  instructorTimeIn: '',
  instructorTimeOut: '',
  groundSchoolTime: '0.25',
  notes: 'Left brake soft.',
  fuelRecords: [{ refueled: true, fuelReceiptImage: null, oilAdded: true, oilQuantity: 1, notes: '' }],
};
export const invitation = { name: 'Ida Berg', email: 'ida@example.com', role: 'student' as const };
