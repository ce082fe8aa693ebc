import pytest

from components.server.files.upload_budget import OverBudget, UploadBudget


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def budget(clock):
    return UploadBudget(per_address=100, overall=150, clock=clock)


def send(budget, address, *sizes, announced=0):
    with budget.transfer(address, announced) as transfer:
        for size in sizes:
            transfer.add(size)


def test_an_address_may_send_its_limit_and_no_byte_more(budget):
    send(budget, "a", 60, 40)
    with pytest.raises(OverBudget) as over:
        send(budget, "a", 1)
    assert not over.value.everybody


def test_announced_bytes_are_refused_before_they_come_and_do_not_count(budget):
    with pytest.raises(OverBudget):
        send(budget, "a", announced=101)
    send(budget, "a", 100, announced=100)


def test_all_addresses_share_one_limit(budget):
    send(budget, "a", 100)
    send(budget, "b", 50)
    with pytest.raises(OverBudget) as over:
        send(budget, "c", 1)
    assert over.value.everybody


def test_a_minute_after_its_end_a_request_counts_no_more(budget, clock):
    send(budget, "a", 100)
    clock.now = 59
    with pytest.raises(OverBudget) as over:
        send(budget, "a", 1)
    assert 1 <= over.value.wait_s <= 2
    clock.now = 121
    send(budget, "a", 100)


def test_a_slow_request_counts_as_long_as_it_runs(budget, clock):
    with budget.transfer("a", 0) as transfer:
        transfer.add(80)
        clock.now = 600
        with pytest.raises(OverBudget):
            send(budget, "a", 30)


def test_addresses_that_sent_nothing_lately_take_no_memory(budget, clock):
    for number in range(50):
        send(budget, str(number), 2)
    clock.now = 61
    send(budget, "last", 1)
    assert set(budget._used) == {"last"}
    assert budget._total == 1
