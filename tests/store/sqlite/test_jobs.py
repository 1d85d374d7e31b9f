"""Jobs: each is answered in the event loop that asked, and nobody else hears of it."""

import asyncio
import threading

from interlock.store.sqlite.jobs import Job, deliver


def _job(loop: asyncio.AbstractEventLoop, outcome: object, error: Exception | None = None) -> Job:
    return Job(lambda _: None, loop, loop.create_future(), outcome=outcome, error=error)


def test_everyone_is_answered_in_their_own_loop_and_who_has_left_is_passed_over() -> None:
    async def story() -> list[object]:
        loop = asyncio.get_running_loop()
        gone = asyncio.new_event_loop()
        lost = _job(gone, "lost")
        gone.close()
        wrong, left = ValueError("a bug"), _job(loop, "left")
        left.future.cancel()
        jobs = [_job(loop, "one"), lost, left, _job(loop, None, wrong)]
        thread = threading.Thread(target=deliver, args=(jobs,))
        thread.start()
        told = await asyncio.gather(jobs[0].future, jobs[3].future, return_exceptions=True)
        thread.join()
        assert not lost.future.done()
        return [*told, wrong]

    first, second, wrong = asyncio.run(story())
    assert first == "one"
    assert second is wrong
