-- Counts calls of a subject, such as an API key or an address, by the generic cell rate algorithm.
--
-- Picture the limit as a clock that each call sets ahead by its cost, and that time catches up with. `call_rates.arrival` is
-- the time that this clock shows. A call is allowed while the clock is at most `tolerance` ahead.
--
-- Example: 60 calls a minute, 3 at once. A call costs 1 s, and the tolerance is 2 s. At 12:00:00, an idle subject calls four
-- times. The first three set the clock to 12:00:01, :02 and :03. The fourth finds it 3 s ahead, so it is rejected and
-- changes nothing. From 12:00:01 on the clock is only 2 s ahead, and one more call is allowed.
--
-- A counter for each minute would be simpler, but it allows 60 calls at 12:00:59 and 60 more at 12:01:00.
--
-- `waiting` calls have arrived. A process may also take calls in advance, at most 1% of the free ones: `likely` is the number
-- that it expects, and `lasting` the number that it takes while 97% of the burst remain free. Unused ones expire, but so
-- full a bucket has no use for them.
--
-- Returns the number of granted calls, and by how many seconds the clock is ahead after them.
CREATE FUNCTION take_calls(
  caller text,
  cost double precision,
  tolerance double precision,
  burst double precision,
  waiting double precision,
  likely double precision,
  lasting double precision
) RETURNS TABLE (granted double precision, ahead double precision) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  -- A clock further ahead does not come from this rate: the database's time was set back, or the burst was larger before a
  -- restart. It then counts as one burst ahead. Otherwise the subject would wait for the old, longer debt.
  ahead_max CONSTANT double precision := tolerance + cost + 60;
  advance_max CONSTANT double precision := 1000000;
  clock double precision;
  time_s double precision;
  free double precision;
  in_advance double precision;
BEGIN
  -- Many calls wait for this commit. A crash loses at most the calls of the last second.
  PERFORM set_config('synchronous_commit', 'off', true);
  LOOP
    SELECT arrival INTO clock FROM call_rates WHERE subject = caller FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO call_rates (subject, arrival) VALUES (caller, 0) ON CONFLICT (subject) DO NOTHING;
  END LOOP;
  -- Read under the lock, because a call that waited for it must not use an old time.
  time_s := extract(epoch FROM clock_timestamp());
  IF clock - time_s > tolerance AND clock - time_s <= ahead_max THEN
    RETURN QUERY SELECT 0::double precision, clock - time_s;
    RETURN;
  END IF;
  clock := least(greatest(clock, time_s), time_s + tolerance);
  free := 1 + floor((time_s + tolerance - clock) / cost);
  in_advance := greatest(likely, least(lasting, floor(free - waiting - 0.97 * burst)));
  in_advance := greatest(0, least(in_advance, floor((free - waiting) * 0.01), advance_max));
  granted := least(waiting, free) + in_advance;
  clock := clock + granted * cost;
  UPDATE call_rates SET arrival = clock WHERE subject = caller;
  -- Read again: the update took some microseconds, in which the clock came nearer.
  ahead := clock - extract(epoch FROM clock_timestamp());
  RETURN NEXT;
END $$;
